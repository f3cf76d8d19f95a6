import { Fragment, type ReactNode, useEffect, useState } from 'react'
import { onSignedOut } from '../data/client.ts'

/**
 * What shows or takes a secret: when the session ends it begins anew, so that behind the sign-in there is neither a key that
 * was shown once nor a password that was being typed.
 */
export function UntilSignedOut({ children }: { children: ReactNode }) {
  const [round, setRound] = useState(0)
  useEffect(() => onSignedOut(() => setRound((before) => before + 1)), [])
  return <Fragment key={round}>{children}</Fragment>
}
