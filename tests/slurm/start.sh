#!/bin/bash
# A real Slurm of two nodes, n1 and n2, on this machine: munged, slurmctld and one slurmd per node, as root and without
# systemd. It writes only below FOLDER, uses free ports and its own authentication, and stores process ids
# in FOLDER/pids, so that several can run in parallel, also with the machine's own Slurm. usage: start.sh FOLDER; then
# export SLURM_CONF=FOLDER/slurm.conf; stop.sh FOLDER ends it
set -eu
root=$(realpath "$1")
here=$(dirname "$(realpath "$0")")
host=$(hostname -s)
mkdir -p "$root"/{state,spool,log,pids,munge}
chmod 711 "$root" "$root/munge"

free_port() {
  local port
  while port=$((20000 + RANDOM % 10000)); do
    grep -q " $port\$" "$root/ports" 2> /dev/null && continue
    (exec 3<> "/dev/tcp/127.0.0.1/$port") 2> /dev/null && continue
    echo " $port" >> "$root/ports"
    echo "$port"
    return
  done
}

if [ ! -e "$root/munge/key" ]; then
  head -c 128 /dev/urandom > "$root/munge/key"
  chmod 600 "$root/munge/key"
fi
munged --foreground --force --socket="$root/munge/socket" --key-file="$root/munge/key" \
  --pid-file="$root/munge/pid" --log-file="$root/log/munged.log" --seed-file="$root/munge/seed" \
  > "$root/log/munged.out" 2>&1 &
echo $! > "$root/pids/munged"

{
  cat << CONF
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$(free_port)
AuthType=auth/munge
AuthInfo=socket=$root/munge/socket,cred_expire=5
CredType=cred/munge
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmUser=root
SlurmdUser=root
StateSaveLocation=$root/state
SlurmdSpoolDir=$root/spool/%n
SlurmctldPidFile=$root/spool/slurmctld.pid
SlurmdPidFile=$root/spool/%n.pid
SlurmctldLogFile=$root/log/slurmctld.log
SlurmdLogFile=$root/log/%n.log
ReturnToService=2
SlurmdTimeout=30
BatchStartTimeout=2
KillWait=5
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
CONF
  for node in n1 n2; do
    echo "NodeName=$node NodeHostname=$host NodeAddr=127.0.0.1 Port=$(free_port) CPUs=1 RealMemory=8000"
  done
  echo "PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP"
} > "$root/slurm.conf"
export SLURM_CONF=$root/slurm.conf

for _ in $(seq 100); do
  [ -S "$root/munge/socket" ] && break
  sleep 0.1
done
slurmctld -D -f "$SLURM_CONF" > "$root/log/slurmctld.out" 2>&1 &
echo $! > "$root/pids/slurmctld"
for node in n1 n2; do "$here/start_node.sh" "$root" "$node"; done
for _ in $(seq 300); do
  [ "$(sinfo --noheader --Node --format=%T 2> /dev/null | grep -c idle)" = 2 ] && exit 0
  sleep 0.1
done
echo "the nodes did not become idle; the end of the logs in $root/log:" >&2
tail -n 5 "$root"/log/*.log >&2
exit 1
