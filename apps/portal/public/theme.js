// Before the first paint, so that a dark page does not flash.
document.documentElement.dataset.theme = localStorage.getItem('signalbox.theme') ?? 'system';
document.documentElement.dataset.density = localStorage.getItem('signalbox.density') ?? 'comfortable';
