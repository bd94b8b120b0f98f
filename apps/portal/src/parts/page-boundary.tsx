import { Component, type ComponentChildren } from 'preact';
import { Empty } from './empty.js';

/** Shows that a page failed to load or to be drawn; the frame around it stays. */
export class PageBoundary extends Component<{ children: ComponentChildren }, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static override getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true };
  }

  override componentDidCatch(error: unknown): void {
    reportError(error);
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <div class="page">
        <h1>This page could not be loaded</h1>
        <div role="alert">
          <Empty title="A reload helps when the platform was updated after this window was opened.">
            <button class="primary" onClick={() => location.reload()}>
              Reload
            </button>
          </Empty>
        </div>
      </div>
    );
  }
}
