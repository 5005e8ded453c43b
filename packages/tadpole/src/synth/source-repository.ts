/** A folder whose tests pass, from which tasks are made. Nothing in it is changed. */
export interface SourceRepository {
  readonly directory: string;
  /** Installed packages that hold what its tests import. */
  readonly nodeModules: string;
  /** Python modules that the system lacks. @default none */
  readonly pythonPackages?: string;
  /** SPDX expression, for a folder that states none. @default what the folder states */
  readonly licence?: string;
}
