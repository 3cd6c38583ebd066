# A header that says nothing ends the language server with an error, however much it promises; so does an editor that
# goes before it has begun.
printf 'Content-Length: 100000000000000\r\n\r\n{}' | run referee lsp
printf 'Content-Length: -1\r\n\r\n{}' | run referee lsp
printf 'Length: 2\r\n\r\n{}' | run referee lsp
printf 'no header\r\n\r\n{}' | run referee lsp
printf 'Content-Length: 2\r\n\r\n[]' | run referee lsp
printf 'Content-Length: 200\r\n\r\n{}' | run referee lsp
