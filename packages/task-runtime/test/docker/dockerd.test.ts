import { afterAll, describe, expect, it } from 'vitest';
import { sandboxProviderConformance } from '../../src/testing/index.js';
import { connectTestEngine } from './engine-fixture.js';

const engine = await connectTestEngine('TADPOLE_DOCKER_SOCKET');

afterAll(() => engine.close());

describe('the Docker provider with dockerd', () => {
  const provider = engine.provider();

  it.each([...sandboxProviderConformance(provider)])('$name', ({ run }) => run());

  it('leaves no container behind', async () => {
    expect(await engine.containers()).toEqual([]);
  });
});
