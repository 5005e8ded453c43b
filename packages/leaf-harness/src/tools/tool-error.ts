/** A tool's failure, which the loop turns into the text `type: message` for the model. */
export class ToolError extends Error {
  constructor(options: {
    /** Short name of the kind of error, for instance `FileNotFoundError`. */
    type: string;
    /** What was expected, what came, and what to do, in the model's terms. */
    message: string;
  }) {
    super(options.message);
    this.name = options.type;
  }
}
