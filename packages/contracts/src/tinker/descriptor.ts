/**
 * The protocol's protobuf messages that clients and servers of ours exchange, as a descriptor for protobufjs (`Root.fromJSON`): field
 * numbers of the official SDK 0.38, whose 0.25 has the same for these fields. Bytes are little-endian arrays.
 */
export const tinkerDescriptor = {
  nested: {
    tinker_public: {
      nested: {
        StopReason: { values: { STOP_REASON_STOP: 0, STOP_REASON_LENGTH: 1 } },
        DType: { values: { DTYPE_UNSPECIFIED: 0, DTYPE_FLOAT32: 1, DTYPE_INT64: 2, DTYPE_INT32: 3, DTYPE_BFLOAT16: 4 } },
        SampleResponse: {
          oneofs: { _promptLogprobs: { oneof: ['promptLogprobs'] }, _topkPromptLogprobs: { oneof: ['topkPromptLogprobs'] } },
          fields: {
            sequences: { rule: 'repeated', type: 'SampledSequence', id: 1 },
            promptLogprobs: { type: 'bytes', id: 2, options: { proto3_optional: true } },
            topkPromptLogprobs: { type: 'TopkLogprobs', id: 3, options: { proto3_optional: true } },
          },
        },
        SampledSequence: {
          oneofs: { _logprobs: { oneof: ['logprobs'] } },
          fields: {
            stopReason: { type: 'StopReason', id: 1 },
            tokens: { type: 'bytes', id: 2 },
            logprobs: { type: 'bytes', id: 3, options: { proto3_optional: true } },
          },
        },
        TopkLogprobs: {
          fields: {
            tokenIds: { type: 'bytes', id: 1 },
            logprobs: { type: 'bytes', id: 2 },
            k: { type: 'uint32', id: 3 },
            length: { type: 'uint32', id: 4 },
          },
        },
        SparseCsr: {
          fields: { values: { type: 'bytes', id: 1 }, crowIndices: { type: 'bytes', id: 2 }, colIndices: { type: 'bytes', id: 3 } },
        },
        Tensor: {
          oneofs: { encoding: { oneof: ['dense', 'sparseCsr'] } },
          fields: {
            dense: { type: 'bytes', id: 1 },
            sparseCsr: { type: 'SparseCsr', id: 2 },
            dtype: { type: 'DType', id: 3 },
            shape: { rule: 'repeated', type: 'int64', id: 4 },
          },
        },
        BatchedTensor: {
          fields: {
            data: { type: 'bytes', id: 1 },
            offsets: { type: 'bytes', id: 2 },
            dtype: { type: 'DType', id: 3 },
            trailingShape: { rule: 'repeated', type: 'int64', id: 4 },
          },
        },
        ArrayRecord: {
          fields: {
            typeTag: { type: 'string', id: 1 },
            fields: { keyType: 'string', type: 'BatchedTensor', id: 2 },
            numDatums: { type: 'int64', id: 3 },
          },
        },
        ForwardBackwardOutput: {
          fields: {
            lossFnOutputType: { type: 'string', id: 1 },
            lossFnOutputs: { rule: 'repeated', type: 'ArrayRecord', id: 2 },
            metrics: { keyType: 'string', type: 'double', id: 3 },
          },
        },
        ForwardBackwardRequest: {
          fields: {
            modelId: { type: 'string', id: 1 },
            seqId: { type: 'int32', id: 2 },
            data: { rule: 'repeated', type: 'Datum', id: 3 },
            lossFn: { type: 'string', id: 4 },
            lossFnConfig: { keyType: 'string', type: 'double', id: 5 },
            forwardOnly: { type: 'bool', id: 6 },
            lossFnConfigV2: { keyType: 'string', type: 'LossConfigValue', id: 7 },
          },
        },
        LossConfigValue: {
          oneofs: { value: { oneof: ['number', 'text'] } },
          fields: { number: { type: 'double', id: 1 }, text: { type: 'string', id: 2 } },
        },
        Datum: {
          fields: {
            modelInput: { rule: 'repeated', type: 'Chunk', id: 1 },
            lossFnInputs: { keyType: 'string', type: 'Tensor', id: 2 },
          },
        },
        Chunk: {
          oneofs: { chunk: { oneof: ['encodedText', 'image', 'dmel'] } },
          fields: {
            encodedText: { type: 'EncodedTextChunk', id: 1 },
            image: { type: 'bytes', id: 2 },
            dmel: { type: 'bytes', id: 3 },
          },
        },
        EncodedTextChunk: { fields: { tokens: { type: 'bytes', id: 1 } } },
      },
    },
  },
} as const;
