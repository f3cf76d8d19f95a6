import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { onBack } from '../data/back.ts'
import { isPassing } from '../data/errors.ts'
import { fetchSignInFacts, type SignInFacts } from '../data/session.ts'
import { startFacts } from '../data/start.ts'
import { Button } from '../design/press.tsx'
import { useWords } from '../words/words.ts'
import { signOnProblem } from './problem.ts'
import classes from './sign-in.module.css'
import { SignInForm } from './sign-in-form.tsx'
import { keepTicket } from './ticket.ts'
import { wayBack } from './way-back.ts'

/** The way in; in a fresh installation, how the first administrator is made. */
export function SignInPage() {
  const say = useWords('sign-in')
  const search: Record<string, unknown> = useSearch({ strict: false })
  const navigate = useNavigate()
  const [{ sso, name }, setFacts] = useState<SignInFacts>({ sso: null, name: null })
  useEffect(() => {
    document.title = `${say('signIn')} · Connect`
  })
  const [isUnasked, setUnasked] = useState(false)
  useEffect(() => {
    if (isUnasked) return onBack(() => setUnasked(false))
    // Without an answer the password is a way in, too.
    fetchSignInFacts().then(setFacts, (error: unknown) => setUnasked(isPassing(error)))
    return undefined
  }, [isUnasked])
  if (!startFacts().isSetUp) {
    return (
      <main className={classes.page}>
        <NobodyYet />
      </main>
    )
  }
  const next = wayBack(search.next)
  const problem = signOnProblem(search.problem)
  const goOn = (ticket: string) => {
    keepTicket(ticket)
    void navigate({ to: '/sign-in/second', search: { next } })
  }
  return (
    <main className={classes.page}>
      <SignInForm
        title={name === null ? 'Connect' : `Connect · ${name}`}
        reason={problem && say(problem)}
        onDone={() => location.assign(next)}
        onTicket={goOn}
      >
        {sso === null ? null : (
          <Button variant="default" fullWidth component="a" href={`/api/sso/start?next=${encodeURIComponent(next)}`}>
            {say('continueWith', { label: sso.label })}
          </Button>
        )}
      </SignInForm>
    </main>
  )
}

/** The link itself is shown to everybody who has started the service, and to nobody who only found the address. */
export function NobodyYet() {
  const say = useWords('sign-in')
  return (
    <section className={classes.form}>
      <h1>{say('nobodyYet')}</h1>
      <p>{say('openTheLink')}</p>
      <p>{say('orOnTheMachine')}</p>
      <code className={`mono ${classes.command}`}>
        npx connect user create ada --name "Ada Miller" --group connect.group_admin base.group_erp_manager
      </code>
    </section>
  )
}
