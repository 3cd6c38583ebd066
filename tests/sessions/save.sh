# From where a transcript is saved on, only the new file is kept.
printf '1\nAnn Ben\nRed\nsave other.txt\nNone\nsave\nhelp\n' > typed
run referee play snooker kept.txt < typed
run cat kept.txt
run cat other.txt
