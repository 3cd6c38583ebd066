# A malformed header ends the language server with an error, however long a message it announces; so does an editor that
# leaves before it has sent `initialize`.
printf 'Content-Length: 100000000000000\r\n\r\n{}' | run referee lsp
printf 'Content-Length: -1\r\n\r\n{}' | run referee lsp
printf 'Length: 2\r\n\r\n{}' | run referee lsp
printf 'no header\r\n\r\n{}' | run referee lsp
printf 'Content-Length: 2\r\n\r\n[]' | run referee lsp
printf 'Content-Length: 200\r\n\r\n{}' | run referee lsp
