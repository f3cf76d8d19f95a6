import { useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { startFacts } from '../data/start.ts'
import { useWords } from '../words/words.ts'
import classes from './sign-in.module.css'
import { SignInForm } from './sign-in-form.tsx'
import { wayBack } from './way-back.ts'

/** The way in; in a fresh installation, how the first administrator is made. */
export function SignInPage() {
  const say = useWords('sign-in')
  const search: Record<string, unknown> = useSearch({ strict: false })
  useEffect(() => {
    document.title = `${say('signIn')} · Connect`
  })
  const enter = () => location.assign(wayBack(search.next))
  return (
    <main className={classes.page}>
      {startFacts().isSetUp ? <SignInForm title="Connect" onDone={enter} /> : <NobodyYet />}
    </main>
  )
}

/** The link itself is shown to whoever has started the service, and to nobody who only found the address. */
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
