# What a shell is told that asks how a command line may go on: games, variants, options, files.
mkdir house
printf 'game house-rules "Our own"\noption most: 1..9 = 3 -- how far\noption loud: yes/no = no\nstate s: number = 0\nevent e(n: 1..9)\non e { fact over = n >= most new s = s + n report | said: "{new s}" when loud }\ntranscript by words { start play until over { | e: "{n}" } }\n' > house/house-rules.rules
# The words after `referee`, the last of them not yet complete.
ask() {
  echo "\$ referee $*"
  REFEREE_COMPLETE=fish "$command" -- referee "$@"
}
ask run we
ask run weiqi+su
ask run weiqi+superko+
ask show snooker+foul
ask run no-such-game+
ask --rules house play house
ask --rules house run house-rules --set ''
ask --rules house run house-rules --set loud=
ask moves snooker --set red
ask check ./house/
touch game.txt
ask run weiqi gam
ask why weiqi gam
ask fmt hou
ask diff chess chess+a
ask cov
ask test --for
ask list --format ''
run referee completions tcsh
