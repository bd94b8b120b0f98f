{{- define "signalbox.image" -}}
{{- with .Values.image }}{{ .repository }}{{ if .digest }}@{{ .digest }}{{ else }}:{{ .tag | default $.Chart.AppVersion }}{{ end }}{{ end }}
{{- end }}

{{- define "signalbox.labels" -}}
app.kubernetes.io/name: {{ . }}
app.kubernetes.io/part-of: signalbox
{{- end }}

{{/* What every pod begins with. */}}
{{- define "signalbox.podStart" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
securityContext: {{ toYaml .Values.podSecurityContext | nindent 2 }}
{{- end }}

{{/* Where the pods of a service, or of NATS, are placed: its values. */}}
{{- define "signalbox.placement" -}}
{{- range $key := list "nodeSelector" "tolerations" "affinity" "priorityClassName" "runtimeClassName" }}
{{- with get $ $key }}
{{ $key }}: {{ toYaml . | nindent 2 }}
{{- end }}
{{- end }}
{{- end }}

{{/* A container of the image of the platform, from its name on to its arguments: (list root name). */}}
{{- define "signalbox.containerStart" -}}
{{- $root := index . 0 -}}
name: {{ index . 1 }}
image: {{ include "signalbox.image" $root }}
{{- with $root.Values.image.pullPolicy }}
imagePullPolicy: {{ . }}
{{- end }}
securityContext: {{ include "signalbox.unprivileged" $root | nindent 2 }}
{{- end }}

{{/* The entry point of docker/Dockerfile with the heap of a service: its values. */}}
{{- define "signalbox.entryPoint" -}}
[tini, --, node, --max-old-space-size={{ int .heapMiB }}, --heap-growing-percent=300, --max-semi-space-size=16, apps/cli/bin/signalbox.mjs]
{{- end }}

{{- define "signalbox.unprivileged" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
privileged: false
capabilities: { drop: [ALL] }
{{- end }}

{{/* A variable from a Secret: (list name secret key). */}}
{{- define "signalbox.fromSecret" -}}
name: {{ index . 0 }}
valueFrom: { secretKeyRef: { name: {{ index . 1 }}, key: {{ index . 2 }} } }
{{- end }}

{{- define "signalbox.tmpVolume" -}}
name: tmp
emptyDir: { medium: Memory, sizeLimit: 64Mi }
{{- end }}

{{/* The certificates that are trusted in addition: a variable, a mount and a volume, each empty without them. */}}
{{- define "signalbox.caBundle" -}}
{{- with .Values.tls.caBundle }}{{ if or .configMap .secret }}{{ .key }}{{ end }}{{ end }}
{{- end }}
{{- define "signalbox.caEnv" -}}
{{- with include "signalbox.caBundle" . }}
- { name: NODE_EXTRA_CA_CERTS, value: /etc/signalbox/ca/{{ . }} }
{{- end }}
{{- end }}
{{- define "signalbox.caMount" -}}
{{- if include "signalbox.caBundle" . }}
- { name: ca, mountPath: /etc/signalbox/ca, readOnly: true }
{{- end }}
{{- end }}
{{- define "signalbox.caVolume" -}}
{{- if include "signalbox.caBundle" . }}
- name: ca
{{- with .Values.tls.caBundle }}
{{- if .configMap }}
  configMap: { name: {{ .configMap }} }
{{- else }}
  secret: { secretName: {{ .secret }} }
{{- end }}
{{- end }}
{{- end }}
{{- end }}

{{/*
Seconds that a process is given to end, (list root values): what the service waits for its calls, by the settings of all or its
own, and 25 s to close. An empty setting is the default of the services.
*/}}
{{- define "signalbox.gracePeriod" -}}
{{- with merge (deepCopy (index . 1).env) (deepCopy (index . 0).Values.config) }}
{{- $invoke := default 120 .INVOKE_TIMEOUT_SECONDS | int }}
{{- add (default (add $invoke 5) .SHUTDOWN_GRACE_SECONDS | int) 25 }}
{{- end }}
{{- end }}

{{/* The address of NATS without a login. */}}
{{- define "signalbox.natsUrl" -}}
{{- if .Values.nats.deploy }}nats://nats:4222{{ else }}{{ .Values.nats.url }}{{ end }}
{{- end }}

{{/* The login of the owner of the database, and the master key. */}}
{{- define "signalbox.ownerEnv" -}}
- {{- include "signalbox.fromSecret" (list "DATABASE_URL" .Values.database.existingSecret .Values.database.key) | nindent 2 }}
{{- with .Values.database.directKey }}
- {{- include "signalbox.fromSecret" (list "DATABASE_DIRECT_URL" $.Values.database.existingSecret .) | nindent 2 }}
{{- end }}
- {{- include "signalbox.fromSecret" (list "MASTER_KEY" .Values.masterKey.secret .Values.masterKey.key) | nindent 2 }}
{{- with .Values.masterKey.nextKey }}
- {{- include "signalbox.fromSecret" (list "MASTER_KEY_NEXT" $.Values.masterKey.secret .) | nindent 2 }}
{{- end }}
{{- with .Values.masterKey.previousKey }}
- {{- include "signalbox.fromSecret" (list "MASTER_KEY_PREVIOUS" $.Values.masterKey.secret .) | nindent 2 }}
{{- end }}
{{- include "signalbox.caEnv" . }}
{{- end }}
