/** The installation as the command line sees it: its API, as the built-in administrator. */
export interface Connection {
  /** Through the running service, or on the data folder itself while none runs. */
  kind: 'service' | 'folder'
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
