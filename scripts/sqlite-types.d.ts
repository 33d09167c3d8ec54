/** The part of sql.js that is used here. Its published types need those of Node, which pure files do without. */
declare module 'sql.js' {
  export type SqlValue = number | string | Uint8Array | null

  export interface Statement {
    step(): boolean
    get(): SqlValue[]
    run(values: SqlValue[]): void
    free(): boolean
  }

  export interface Database {
    run(sql: string, values?: SqlValue[]): Database
    prepare(sql: string): Statement
    export(): Uint8Array
    close(): void
  }

  export interface SqlJs {
    Database: new (bytes?: Uint8Array) => Database
  }

  export default function initSqlJs(): Promise<SqlJs>
}
