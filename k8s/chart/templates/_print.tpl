{{/*
Merges (list target patch) into target: null removes a key, lists of things with names are merged by name, other lists are
replaced. Prints nothing.
*/}}
{{- define "signalbox.merge" -}}
{{- $target := index . 0 }}
{{- range $key, $value := index . 1 }}
  {{- $present := get $target $key }}
  {{- if kindIs "invalid" $value }}
    {{- $_ := unset $target $key }}
  {{- else if and (kindIs "map" $value) (kindIs "map" $present) }}
    {{- include "signalbox.merge" (list $present $value) }}
  {{- else if and (eq "true" (include "signalbox.isNamed" $value)) (eq "true" (include "signalbox.isNamed" $present)) }}
    {{- range $item := $value }}
      {{- $isFound := false }}
      {{- range $each := $present }}
        {{- if eq $each.name $item.name }}
          {{- include "signalbox.merge" (list $each $item) }}
          {{- $isFound = true }}
        {{- end }}
      {{- end }}
      {{- if not $isFound }}
        {{- $present = append $present $item }}
      {{- end }}
    {{- end }}
    {{- $_ := set $target $key $present }}
  {{- else }}
    {{- $_ := set $target $key $value }}
  {{- end }}
{{- end }}
{{- end }}

{{/* "true" for a list whose items all have names. Conditions are nested: Helm before 3.9 evaluates all parts of an `and`. */}}
{{- define "signalbox.isNamed" -}}
{{- $named := kindIs "slice" . }}
{{- if $named }}
  {{- range . }}
    {{- if not (kindIs "map" .) }}{{ $named = false }}{{ else if not (hasKey . "name") }}{{ $named = false }}{{ end }}
  {{- end }}
{{- end }}
{{- $named }}
{{- end }}

{{/* The name by which a patch finds an object: that of a Job is without its hash. */}}
{{- define "signalbox.patchName" -}}
{{- if eq .kind "Job" }}{{ regexReplaceAll "-[0-9a-f]{10}$" .metadata.name "" }}{{ else }}{{ .metadata.name }}{{ end }}
{{- end }}

{{/* Prints the objects of a named template, (list root name), with .Values.patches applied. */}}
{{- define "signalbox.print" -}}
{{- $root := index . 0 }}
{{- range $text := splitList "\n---\n" (print "\n" (include (index . 1) $root) "\n") }}
  {{- if trim (regexReplaceAll "(?m)^#.*$" $text "") }}
    {{- $object := fromYaml $text }}
    {{- if $object.Error }}{{ fail (printf "%s\n%s" $object.Error $text) }}{{ end }}
    {{- range $root.Values.patches }}
      {{- if and (eq .kind $object.kind) (eq .name (include "signalbox.patchName" $object)) }}
        {{- include "signalbox.merge" (list $object .patch) }}
      {{- end }}
    {{- end }}
{{ printf "---\n%s" (toYaml $object) }}
  {{- end }}
{{- end }}
{{- end }}

{{/* A patch that names none of the objects is a mistake, such as a name of an earlier version. */}}
{{- define "signalbox.checkPatches" -}}
{{- if .Values.patches }}
  {{- $present := list }}
  {{- range $part := list "services" "settings" "nats" "migration" "secrets" "networkPolicies" "ingress" "httpRoute" "monitoring" "alerts" "dashboards" "operator" "backup" "rotation" }}
    {{- range $text := splitList "\n---\n" (print "\n" (include (print "signalbox.objects." $part) $) "\n") }}
      {{- with fromYaml $text }}{{ $present = append $present (print .kind "/" (include "signalbox.patchName" .)) }}{{ end }}
    {{- end }}
  {{- end }}
  {{- range .Values.patches }}
    {{- if not (has (print .kind "/" .name) $present) }}
      {{- fail (printf "patches: this chart has no %s %s" .kind .name) }}
    {{- end }}
  {{- end }}
{{- end }}
{{- end }}
