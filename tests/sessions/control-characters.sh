# Names with sequences that a terminal obeys, in a transcript, in a rule file and in a path.
esc=$(printf '\033')
csi=$(printf '\302\233')
override=$(printf '\342\200\256')
isolate=$(printf '\342\201\247')
cat > named.rules <<RULES
game named "A ${esc}[31mred${override} title"
given who: word
state last: text = ""
event say(what: word)
on say {
  impossible | odd: "{what} is odd" when what is "odd"
  fact over = what is "end"
  new last = "{what}"
  report | said: "{who} says {what}" unless old last is what
}
transcript by lines { "{who}" start play until over { | say: "say {what}" } }
RULES
path="a${esc}[31m${csi}2J${override}b.txt"
printf '%s\nsay %s\nsay odd\n' "A${esc}]0;owned" "${csi}31m${isolate}x" > "$path"
# A pipe gets what was said as it is.
referee run named.rules "$path" 2> /dev/null | od -An -c
run referee run named.rules "no${esc}[31m${override}.txt"
run referee check "no${esc}[31m${csi}.rules"
referee run named.rules "$path" 2>&1 > /dev/null
printf 'game wrong\nfact x = "%s%s%s" is 1 -- %s\n' "$csi" "$esc" "$override" "$isolate" > "w${esc}.rules"
run referee check "w${esc}.rules"
separator=$(printf '\342\200\251')
printf 'game parted\nfact x = "a%sb" is 1\n' "$separator" > parted.rules
run referee check parted.rules
# Arguments that are repeated in what is wrong with the command line.
run referee run named "--no${esc}[31m${override}"
run referee "ru${esc}[31m${csi}n"
run referee run named --seed "${esc}]0;x"
# What cannot be read is explained.
printf 'A\nsqueak %s[31m%s\n' "$esc" "$override" > squeak.txt
run referee why named.rules squeak.txt:2
run referee why named.rules squeak.txt:2 --trace
# Annotations end in a log that people read.
referee run named.rules "$path" --errors github 2>&1 > /dev/null
