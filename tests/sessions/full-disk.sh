# What cannot be written is told, whatever it is; a reader that is gone ends every command quietly.
for arguments in --version --help help 'help run' list 'completions bash' man 'show nim' 'check nim'; do
  echo "\$ referee $arguments"
  [ -w /dev/full ] && referee $arguments 2>&1 > /dev/full
  echo "--- exit code $? ---"
  { referee $arguments 2>&1 >&3; echo "--- exit code $? where nobody reads ---"; } 3>&1 >&2 | true
done 2>&1
