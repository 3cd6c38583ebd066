# Whoever writes a wrong command hears which is meant.
for word in rnu chekc lint validate format explain repl legal coverage init fly ''; do
  run referee "$word" something
done
