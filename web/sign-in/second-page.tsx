import { Navigate, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useWords } from '../words/words.ts'
import { SecondForm } from './second-form.tsx'
import classes from './sign-in.module.css'
import { pendingTicket } from './ticket.ts'
import { wayBack } from './way-back.ts'

/** The second step of a sign-in; without the first one, that one. */
export function SecondPage() {
  const say = useWords('sign-in')
  const search: Record<string, unknown> = useSearch({ strict: false })
  const ticket = pendingTicket()
  useEffect(() => {
    document.title = `${say('secondStep')} · Connect`
  })
  if (ticket === undefined) return <Navigate to="/sign-in" replace />
  return (
    <main className={classes.page}>
      <SecondForm ticket={ticket} onDone={() => location.assign(wayBack(search.next))} />
    </main>
  )
}
