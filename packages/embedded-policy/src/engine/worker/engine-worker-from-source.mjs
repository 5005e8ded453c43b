// The process does not inherit the loader hooks of tsx or vitest, so from source it registers tsx itself.
import { register } from 'tsx/esm/api';

register();
await import('./engine-worker.ts');
