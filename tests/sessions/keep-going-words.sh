# With --keep-going by words, an event before the mistake counts, although a longer one could have begun with its words.
cat > kw.rules <<'RULES'
game kw "Who goes"
kind Side | Ann | Ben
event go(side: Side)
event retire(side: Side)
on go {
  fact over = no
  report | goes: "{side}"
}
on retire {
  fact over = yes
  report | retires: "{side} retires"
}
transcript by words { start play until over { | retire: "{side} retires" | go: "{side}" } }
RULES
echo 'Ann Ben x Ann Ben retires' > typed
run referee run kw.rules typed
run referee run kw.rules --keep-going typed
echo 'Ann Ben retirs Ann retires' > typed
run referee run kw.rules --keep-going typed
echo 'Ann Ben x retires Ann retires' > typed
run referee run kw.rules --keep-going typed
