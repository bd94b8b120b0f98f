import { render } from 'preact';
import { Start } from './start.js';

const root = document.getElementById('app');
if (root) render(<Start />, root);
