# Decimal places from the command line, in variants, and in what is written for programs.
mkdir -p rules/shop
cat > rules/shop.rules <<'RULES'
game shop "A shop"

option rate: 0.0..9.5 = 7.5                  -- in per cent
kind Coin (worth: 0.00..9.99) | Cent 0.01 | Half 0.5
type Weight = 0.0..1.5
given least: Weight = 0.5
state left: Weight = least
state purse: 0.00..99.99 = 1.25
fact goal: number.0 = least + 1

event pay(coin: Coin, weight: Weight) when left < 1.5
on pay {
  fact over = new left >= goal
  new left = weight
  new purse = purse + worth of coin
  report | pay: "{coin} {weight} {worth of coin} {goal} {rate} {new purse}"
}

transcript by lines { start play until over { | pay: "{coin} {weight}" } }

example half { given left = 1 when pay(Half, 1.5) expect over, new left is 1.50, new purse > goal, goal in 1..2.5 }
RULES
cat > rules/shop/fine.rules <<'RULES'
variant fine of shop "A finer scale"
set rate = 6
set worth of Half = 0.45
replace type Weight = 0.00..1.50
replace goal: number.00
replace goal = least + 0.25
add to Coin | Euro 1
RULES
cat > rules/shop/coarse.rules <<'RULES'
variant coarse of shop "What cannot be kept"
set rate = 6.25
set worth of Half = 0.125
RULES
cat > lines.txt <<'LINES'
#? left is 0.5
#? purse in 1..1.3
Half 1.0
Cent 1.5
LINES
run referee run --rules rules shop lines.txt
run sh -c 'printf "Half 0.75\n" | "$command" run --rules rules shop+fine'
run sh -c 'printf "Half 2\n" | "$command" run --rules rules shop'
run sh -c 'printf "Half 1\n" | "$command" run --rules rules shop'
run sh -c 'printf "Half 1.50\n" | "$command" run --rules rules shop'
run sh -c 'printf "Half ?\n" | "$command" run --rules rules shop'
run referee check --rules rules shop+coarse
run referee show --rules rules shop+fine
run referee show --rules rules shop --set rate=6 --flat
run referee show --rules rules shop --set rate=6 --format json
run referee run --rules rules shop --set rate=6.25 lines.txt
run sh -c '"$command" moves --rules rules shop --only pay < /dev/null | head -3'
run sh -c '"$command" moves --rules rules shop --format json < /dev/null | tail -c 500'
run sh -c '"$command" run --rules rules shop --format jsonl lines.txt | head -4'
run referee why --rules rules shop lines.txt:4
run referee fmt --check rules
