import { encodeOnnxModel } from './onnx-schema.js';

/** Element types of graph values; the numbers are ONNX's TensorProto.DataType. */
const DATA_TYPES = { float32: 1, int32: 6, int64: 7 } as const;

/** Name of the array that a graph is loaded with, and the TensorProto.DataLocation of what lies in it. */
export const LOADED_DATA = 'loaded';
const EXTERNAL = 1;

/** The element type of a graph value. */
export type ElementType = keyof typeof DATA_TYPES;

/** A named value in a graph: an input, a constant or the result of a node. */
export interface GraphValue {
  readonly name: string;
}

/** A node attribute: an integer list, a string, an integer (`{int}`) or a float (`{float}`). */
export type NodeAttribute = readonly number[] | string | { readonly int: number } | { readonly float: number };

/** How a node is emitted beyond its operator and inputs. */
export interface NodeOptions {
  /** Attributes by name. @default {} */
  readonly attributes?: Readonly<Record<string, NodeAttribute>>;
  /** Operator set: '' is ONNX, 'com.microsoft' holds the contrib operators of ONNX Runtime. @default '' */
  readonly domain?: string;
  /** Number of results. @default 1 */
  readonly results?: number;
}

/** Collects nodes and encodes them as an ONNX model. */
export interface GraphBuilder {
  /** Declares a feed. `rank` only fixes the number of dimensions; all dimensions stay dynamic. */
  input(name: string, elementType: ElementType, rank: number): GraphValue;
  /** A constant; equal constants are emitted once. */
  constant(data: Float32Array | BigInt64Array, dimensions: readonly number[]): GraphValue;
  /** A float32 constant: the part from element `offset` on of the array that the graph is loaded with. Names are unique. */
  loaded(name: string, dimensions: readonly number[], offset: number): GraphValue;
  /** Emits one operator and returns its results. */
  node(operator: string, inputs: readonly GraphValue[], options?: NodeOptions): GraphValue[];
  /** Declares a fetch: the result of a node, which takes the given name. */
  output(name: string, value: GraphValue, elementType?: ElementType): void;
  /** The encoded model, to be loaded by ONNX Runtime. */
  encode(): Uint8Array;
}

/** Creates an empty graph. */
export function createGraphBuilder(name: string): GraphBuilder {
  const nodes: GraphNode[] = [];
  const outputNames = new Map<string, string>();
  const initializers = new Map<string, { value: GraphValue; tensor: Record<string, unknown> }>();
  const inputs: Record<string, unknown>[] = [];
  const outputs: Record<string, unknown>[] = [];
  let counter = 0;

  return {
    input(inputName, elementType, rank) {
      const dim = Array.from({ length: rank }, (_, axis) => ({ dimParam: `${inputName}_${axis}` }));
      inputs.push({ name: inputName, type: { tensorType: { elemType: DATA_TYPES[elementType], shape: { dim } } } });
      return { name: inputName };
    },
    constant(data, dimensions) {
      const rawData = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
      const dataType = data instanceof Float32Array ? DATA_TYPES.float32 : DATA_TYPES.int64;
      const key = `${dataType}|${dimensions.join(',')}|${Buffer.from(rawData).toString('base64')}`;
      let entry = initializers.get(key);
      if (entry === undefined) {
        const value = { name: `constant_${initializers.size}` };
        entry = { value, tensor: { name: value.name, dims: [...dimensions], dataType, rawData } };
        initializers.set(key, entry);
      }
      return entry.value;
    },
    loaded(valueName, dimensions, offset) {
      const length = dimensions.reduce((product, size) => product * size, 1);
      const entries = { location: LOADED_DATA, offset: 4 * offset, length: 4 * length };
      const externalData = Object.entries(entries).map(([key, value]) => ({ key, value: String(value) }));
      const tensor = { name: valueName, dims: [...dimensions], dataType: DATA_TYPES.float32, dataLocation: EXTERNAL, externalData };
      initializers.set(valueName, { value: { name: valueName }, tensor });
      return { name: valueName };
    },
    node(operator, nodeInputs, options = {}) {
      const id = counter++;
      const results = Array.from({ length: options.results ?? 1 }, (_, index) => ({ name: `${operator}_${id}_${index}` }));
      nodes.push({
        name: `${operator}_${id}`,
        opType: operator,
        domain: options.domain ?? '',
        input: nodeInputs.map((value) => value.name),
        output: results.map((value) => value.name),
        attribute: Object.entries(options.attributes ?? {}).map(encodeAttribute),
      });
      return results;
    },
    output(outputName, value, elementType = 'float32') {
      if (!nodes.some(({ output }) => output.includes(value.name)))
        throw new Error(`output '${outputName}': expected the result of a node, got '${value.name}'`);
      outputNames.set(value.name, outputName);
      outputs.push({ name: outputName, type: { tensorType: { elemType: DATA_TYPES[elementType] } } });
    },
    encode() {
      const rename = (value: string) => outputNames.get(value) ?? value;
      const renamed = nodes.map((node) => ({ ...node, input: node.input.map(rename), output: node.output.map(rename) }));
      return encodeOnnxModel({
        irVersion: 9,
        producerName: 'tadpole',
        opsetImport: [
          { domain: '', version: 18 },
          { domain: 'com.microsoft', version: 1 },
        ],
        graph: {
          name,
          node: renamed,
          initializer: [...initializers.values()].map((entry) => entry.tensor),
          input: inputs,
          output: outputs,
        },
      });
    },
  };
}

interface GraphNode {
  readonly name: string;
  readonly opType: string;
  readonly domain: string;
  readonly input: readonly string[];
  readonly output: readonly string[];
  readonly attribute: readonly Record<string, unknown>[];
}

function encodeAttribute([name, attribute]: [string, NodeAttribute]): Record<string, unknown> {
  if (typeof attribute === 'string') return { name, s: Buffer.from(attribute), type: 3 };
  if ('int' in attribute) return { name, i: attribute.int, type: 2 };
  if ('float' in attribute) return { name, f: attribute.float, type: 1 };
  return { name, ints: [...attribute], type: 7 };
}
