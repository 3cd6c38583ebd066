# A line of the report may be quoted; an illegal line is explained as one, though it may come.
printf '1\n\nAnn Ben\nRed White\nwhy not "Foul!"\nwhy not "0 : 4"\nquit\n' | run referee play snooker
# So may one of an event that was refused.
printf '1\nAnn Ben\n7\nAnn 3 from 1\nBen 4 from 1\n' > nim.txt
run referee why nim --set most=3 nim.txt --not "Ben may take 3 at most"
printf '1 1\nwhy not 1 1\nwhy not 1 2\nquit\n' | run referee play weiqi --set size=5
