/** What of the phone provider's REST API other areas need. Implementations throw ProviderUnavailable when they cannot. */
export interface TelcoClient {
  /** Gives the live leg new markup; whatever it was doing ends. */
  redirectCall(callSid: string, markup: string): Promise<void>
}

/** The provider cannot be asked: no credentials, or it refused. The message is for the log. */
export class ProviderUnavailable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ProviderUnavailable'
  }
}
