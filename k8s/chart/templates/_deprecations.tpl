{{/*
Sentences for values that were removed or renamed, and for those that contradict each other. A removed key stays in
values.schema.json as `true`, so that its sentence here is what the operator reads:
  {{- if hasKey .Values "postgres" }}{{ fail "postgres was renamed: write database" }}{{ end }}
No key was removed yet.
*/}}
{{- define "signalbox.check" -}}
{{- if not .Values.image.repository }}
  {{- fail "image.repository is missing: the image of the platform in your registry" }}
{{- end }}
{{- if not .Values.database.existingSecret }}
  {{- fail "database.existingSecret is missing: name a Secret with the address of Postgres (key DATABASE_URL)" }}
{{- end }}
{{- if and (not .Values.nats.deploy) (not .Values.nats.url) }}
  {{- fail "nats.url is missing: nats.deploy is false" }}
{{- end }}
{{- if and .Values.nats.deploy .Values.nats.url }}
  {{- fail "nats.url and nats.deploy exclude each other: set nats.deploy to false" }}
{{- end }}
{{- with .Values.objects }}
  {{- if not (or .existingSecret .volume.enabled) }}
    {{- fail "objects: set existingSecret (a bucket) or volume.enabled" }}
  {{- end }}
{{- end }}
{{- with .Values.backup }}
  {{- if and .schedule (not (or .existingSecret .existingClaim)) }}
    {{- fail "backup: set existingSecret (a bucket) or existingClaim (a volume)" }}
  {{- end }}
  {{- if and .existingSecret .existingClaim }}{{ fail "backup: name a Secret or a claim, not both" }}{{ end }}
{{- end }}
{{- with .Values.tls.caBundle }}
  {{- if and .configMap .secret }}{{ fail "tls.caBundle: name a ConfigMap or a Secret, not both" }}{{ end }}
{{- end }}
{{- if and .Values.ingress.enabled (not .Values.ingress.host) }}{{ fail "ingress.host is missing" }}{{ end }}
{{- if and .Values.httpRoute.enabled (not .Values.httpRoute.parentRefs) }}{{ fail "httpRoute.parentRefs is missing" }}{{ end }}
{{- if and .Values.networkPolicies.enabled (not .Values.nats.deploy) (not .Values.networkPolicies.nats.to) }}
  {{- fail "networkPolicies.nats.to is missing: say where NATS is" }}
{{- end }}
{{- $root := . }}
{{- range $name, $service := fromYaml (include "signalbox.services" .) }}
  {{- $values := fromYaml (include "signalbox.valuesOf" (list $root $name)) }}
  {{- $autoscaling := $values.autoscaling }}
  {{- if and $autoscaling.enabled (lt (int $autoscaling.maxReplicas) (int $autoscaling.minReplicas)) }}
    {{- fail (printf "services.%s.autoscaling: maxReplicas is less than minReplicas" $name) }}
  {{- end }}
  {{- $limit := get (default dict $values.resources.limits) "memory" }}
  {{- $used := add $values.heapMiB 128 (ternary $root.Values.config.BODY_MEMORY_MIB 0 (hasKey $service "entrance")) }}
  {{- if and $limit (lt (include "signalbox.mebibytes" $limit | int) (int $used)) }}
    {{- fail (printf "services.%s.resources.limits.memory: %v is less than the %d MiB of heapMiB%s and 128 MiB for the rest of the process" $name $limit $used (ternary ", BODY_MEMORY_MIB" "" (hasKey $service "entrance"))) }}
  {{- end }}
  {{- if $autoscaling.backlog.enabled }}
    {{- if not $service.work }}{{ fail (printf "services.%s.autoscaling.backlog: nothing waits for %s; scale it by CPU" $name $name) }}{{ end }}
    {{- if not $autoscaling.enabled }}{{ fail (printf "services.%s.autoscaling.backlog: set autoscaling.enabled too" $name) }}{{ end }}
    {{- if not $root.Values.keda.prometheus }}{{ fail "keda.prometheus is missing: the address of the Prometheus that scrapes the services" }}{{ end }}
  {{- end }}
{{- end }}
{{- end }}

{{/* A quantity as values.schema.json has it, such as 1.5Gi or a number of bytes, in MiB, rounded down. */}}
{{- define "signalbox.mebibytes" -}}
{{- if kindIs "string" . }}
{{- $number := regexFind "^[0-9.]+" . }}
{{- $unit := trimPrefix $number . | trimSuffix "i" }}
{{- $thousand := ternary 1024.0 1000.0 (hasSuffix "i" .) }}
{{- $bytes := float64 $number }}
{{- if eq $unit "m" }}{{ $bytes = divf $bytes 1000 }}{{ end }}
{{- range until (add1 (index (dict "" -1 "m" -1 "K" 0 "M" 1 "G" 2 "T" 3 "P" 4 "E" 5) $unit) | int) }}{{ $bytes = mulf $bytes $thousand }}{{ end }}
{{- divf $bytes 1048576 | floor | int64 }}
{{- else }}
{{- divf . 1048576 | floor | int64 }}
{{- end }}
{{- end }}
