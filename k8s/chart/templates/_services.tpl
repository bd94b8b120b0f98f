{{/*
What the services are, as the launcher knows them (apps/cli/src/launcher/services.ts): what they are started with, the keys they
are given, and where they may connect to. `of`: the service whose logins it has. `work`: what waits for it and runs in it, by which it
may be scaled: jobs, which every process of a schema counts alike, or scripts, of which each counts its own.
*/}}
{{- define "signalbox.services" -}}
gateway:       { args: [gateway], entrance: true, keys: [NATS_URL, IDEMPOTENCY_KEY] }
completions:
  args: [completions]
  entrance: true
  stateful: true
  database: true
  internet: true
  spool: true
  # The logins and the key of the traffic service: calls of models are its work, done here.
  keys:
    - NATS_URL
    - COMPLETIONS_NATS_URL
    - COMPLETIONS_DATABASE_URL
    - COMPLETIONS_WORKER_DATABASE_URL
    - COMPLETIONS_PROVIDER_SEAL_KEY
    - IDEMPOTENCY_KEY
accounts:
  args: [accounts]
  database: true
  internet: true
  work: jobs
  keys: [NATS_URL, DATABASE_URL, WORKER_DATABASE_URL, API_KEY_PEPPER, KEY_PEPPER, WEBHOOK_SEAL_KEY]
traffic:
  args: [traffic]
  database: true
  internet: true
  work: jobs
  objects: true
  spool: true
  keys: [NATS_URL, DATABASE_URL, WORKER_DATABASE_URL, PROVIDER_SEAL_KEY]
agents:        { args: [agents, api], database: true, internet: true, keys: [NATS_URL, DATABASE_URL, WORKER_DATABASE_URL] }
agents-worker: { args: [agents, worker], of: agents, database: true, internet: true, work: jobs, keys: [NATS_URL, DATABASE_URL, WORKER_DATABASE_URL] }
test-runs:     { args: [test-runs], database: true, work: jobs, keys: [NATS_URL, DATABASE_URL, WORKER_DATABASE_URL] }
training:      { args: [training], database: true, work: jobs, keys: [NATS_URL, DATABASE_URL, WORKER_DATABASE_URL] }
monitors:      { args: [monitors], database: true, work: jobs, keys: [NATS_URL, DATABASE_URL, WORKER_DATABASE_URL] }
workflows:     { args: [workflows], database: true, internet: true, work: jobs, objects: true, keys: [NATS_URL, DATABASE_URL, WORKER_DATABASE_URL] }
# It executes scripts: it reaches the bus and nothing else, so no collector of traces either.
runner:        { args: [runner], work: scripts, keys: [NATS_URL], env: { OTEL_SDK_DISABLED: 'true' } }
{{- end }}

{{/* The values of one service over the defaults: (list root name), as YAML. */}}
{{- define "signalbox.valuesOf" -}}
{{- $root := index . 0 }}
{{- $values := deepCopy $root.Values.defaults }}
{{- include "signalbox.merge" (list $values (get $root.Values.services (index . 1))) }}
{{- toYaml $values }}
{{- end }}

{{/* How many pods of a service there are at least: (list root name). */}}
{{- define "signalbox.leastPods" -}}
{{- $values := fromYaml (include "signalbox.valuesOf" .) }}
{{- if $values.autoscaling.enabled }}{{ $values.autoscaling.minReplicas }}{{ else }}{{ $values.replicas }}{{ end }}
{{- end }}

{{/*
The connections that the pools of all pods may open when each service has as many pods as it may have, and a Deployment that is
replaced one more.
*/}}
{{- define "signalbox.connectionsMax" -}}
{{- $sum := 0 }}
{{- range $name, $service := fromYaml (include "signalbox.services" .) }}
{{- if $service.database }}
{{- $values := fromYaml (include "signalbox.valuesOf" (list $ $name)) }}
{{- $pods := int $values.replicas }}
{{- if $values.autoscaling.enabled }}{{- $pods = int $values.autoscaling.maxReplicas }}{{- end }}
{{- if not $service.stateful }}{{- $pods = add $pods 1 }}{{- end }}
{{- $pool := default $.Values.config.DATABASE_POOL_SIZE $values.env.DATABASE_POOL_SIZE }}
{{- $sum = add $sum (mul $pods (add (int $pool) 6)) }}
{{- end }}
{{- end }}
{{- $sum }}
{{- end }}

{{/*
What waits and runs in a service, as a query of Prometheus: (list root name). 0 without work; no value, so that nothing is
removed, while no process of the service is scraped.
*/}}
{{- define "signalbox.workQuery" -}}
{{- $root := index . 0 }}
{{- $name := index . 1 }}
{{- $service := get (fromYaml (include "signalbox.services" $root)) $name }}
{{- $processes := printf "signalbox_build_info{service=\"%s\",namespace=\"%s\"}" $name $root.Release.Namespace }}
{{- $none := printf "0 * max(%s)" $processes }}
{{- $of := printf "* on (instance) group_left () %s" $processes }}
{{- if eq $service.work "jobs" -}}
(sum(max by (kind) (signalbox_jobs_waiting {{ $of }})) or {{ $none }}) + (sum(max by (kind) (signalbox_jobs_running {{ $of }})) or {{ $none }})
{{- else -}}
sum(signalbox_script_children{state=~"busy|waiting"} {{ $of }}) or {{ $none }}
{{- end }}
{{- end }}

{{/* How an autoscaler removes pods: the values of it. */}}
{{- define "signalbox.scaling" -}}
scaleDown:
  {{- if .scaleDown }}
  stabilizationWindowSeconds: 300
  {{- else }}
  selectPolicy: Disabled
  {{- end }}
{{- end }}
