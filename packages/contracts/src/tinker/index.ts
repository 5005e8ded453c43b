export * from './data.js';
export { tinkerDescriptor } from './descriptor.js';
export * from './requests.js';
export * from './responses.js';
