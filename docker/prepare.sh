#!/bin/sh
# Makes docker/generated: the master key, the owner's password, the configuration of NATS and one file of logins and
# keys per service. Keys that are there are kept, so it can be run again after an update.
set -eu
umask 077
cd "$(dirname "$0")"
mkdir -p generated

random() { od -An -N32 -tx1 /dev/urandom | tr -d ' \n'; }
[ -s generated/postgres-password ] || random > generated/postgres-password
[ -s generated/grafana-password ] || random > generated/grafana-password
[ -s generated/master-key.env ] || printf 'MASTER_KEY=%s\n' "$(random)" > generated/master-key.env
# Read by the server, which runs as another user than the one who made the file.
chmod 644 generated/postgres-password generated/grafana-password

owner="postgres://signalbox:$(cat generated/postgres-password)@postgres:5432/signalbox"
printf 'DATABASE_URL=%s\n' "$owner" > generated/owner.env

docker build -f Dockerfile -t signalbox:local ..
signalbox() {
  docker run --rm --network none --env-file generated/master-key.env --env-file generated/owner.env \
    -e NATS_URL=nats://nats:4222 signalbox:local "$@"
}
signalbox admin nats-config > generated/nats.conf
chmod 644 generated/nats.conf
for service in gateway completions accounts traffic agents test-runs training monitors workflows runner cli; do
  signalbox admin role-urls --service "$service" --env > "generated/$service.env"
done
echo 'Ready. Start it with: docker compose -f docker/docker-compose.yml up -d'
