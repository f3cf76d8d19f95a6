let pending: string | undefined

/** Keeps what the first step gave until the second one; a page that is loaded anew begins with the first. */
export function keepTicket(ticket: string): void {
  pending = ticket
}

export function pendingTicket(): string | undefined {
  return pending
}
