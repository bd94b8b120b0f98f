import type { ComponentChildren } from 'preact';

export const Facts = ({ children }: { children: ComponentChildren }) => <div class="strip">{children}</div>;

export const Fact = ({ label, children }: { label: string; children: ComponentChildren }) => (
  <span>
    <small>{label}</small> <b>{children}</b>
  </span>
);
