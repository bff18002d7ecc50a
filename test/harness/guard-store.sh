# Runs a store, "$@", and ends it as soon as standard input closes: because the process that started this closed it, or because
# they are gone, even if they were killed. An answered write is on file by then, so that the store may be killed, too.
# Ends with the store's exit code.

# Ctrl-C and a closed terminal reach every process of the group at once. The store must not hear of it, since requests
# that are still under way need it. It has handlers of its own, hence the blocking, where env(1) can do that.
trap '' INT TERM HUP
env --block-signal=INT true 2>/dev/null && set -- env --block-signal=INT,TERM,HUP "$@"

# A shell gives what runs beside it an empty standard input.
exec 3<&0
"$@" </dev/null 3<&- &
store=$!
(read -r nothing <&3; kill -KILL "$store") >/dev/null 2>&1 &
watcher=$!
exec 3<&-

wait "$store"
status=$?
kill -KILL "$watcher"
exit "$status"
