/** The installation as the command line sees it: its API, as the built-in administrator. */
export interface Connection {
  /** Where the running service listens. */
  address: string | undefined
  call<Result>(model: string, method: string, args?: object): Promise<Result>
  close(): Promise<void>
}

/** A sentence of the service itself; shown without a trace. */
export class ServiceRefusal extends Error {
  readonly status: number

  constructor(status: number, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ServiceRefusal'
    this.status = status
  }
}

/** The record with this id, called so where there is none; all of its fields when none are named. */
export async function readOne<Row extends object>(
  connection: Pick<Connection, 'call'>,
  { model, name, id, fields = null }: { model: string; name: string; id: number; fields?: readonly string[] | null },
): Promise<Row> {
  const [found] = await connection.call<Row[]>(model, 'search_read', { domain: [['id', '=', id]], fields })
  if (found === undefined) throw new ServiceRefusal(404, `There is no ${name} ${id}.`)
  return found
}

/** The settings, which every installation has; all of their fields when none are named. */
export async function readSettings<Row extends object>(
  connection: Pick<Connection, 'call'>,
  fields: readonly string[] | null = null,
): Promise<Row> {
  const [settings] = await connection.call<Row[]>('connect.settings', 'search_read', { fields })
  if (settings === undefined) throw new Error('there are no settings; the database is not seeded')
  return settings
}
