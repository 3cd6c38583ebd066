# What was wrong with a file that is closed goes away once the file is mended elsewhere.
rules() { printf 'game small\nevent go\non go { fact over = %s }\ntranscript by words { start play until over { | go: "go" } }\n' "$1"; }
send() { printf 'Content-Length: %s\r\n\r\n%s' "${#1}" "$1"; }
note() { send "{\"jsonrpc\":\"2.0\",\"method\":\"$1\",\"params\":$2}"; }
waits() { # until WORDS were said
  tries=0
  until grep -q "$1" said || [ "$tries" -ge 300 ]; do sleep 0.1; tries=$((tries + 1)); done
}
rules yess > small.rules
uri="file://$PWD/small.rules"
: > said
{
  send '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}'
  note initialized '{}'
  text='game small\nevent go\non go { fact over = yess }\ntranscript by words { start play until over { | go: \"go\" } }\n'
  note textDocument/didOpen "{\"textDocument\":{\"uri\":\"$uri\",\"languageId\":\"referee\",\"version\":1,\"text\":\"$text\"}}"
  waits 'yess'
  note textDocument/didClose "{\"textDocument\":{\"uri\":\"$uri\"}}"
  sleep 1
  rules yes > small.rules
  note workspace/didChangeWatchedFiles "{\"changes\":[{\"uri\":\"$uri\",\"type\":2}]}"
  waits '"diagnostics":\[\]'
  send '{"jsonrpc":"2.0","id":2,"method":"shutdown"}'
  note exit null
} | referee lsp > said 2>&1
grep -o 'nothing here is called `[a-z]*`' said | sort -u
grep -o '"diagnostics":\[\]' said | sort -u
