import { useEffect } from 'react'
import { signOut } from '../data/session.ts'
import { Button } from '../design/press.tsx'
import { SecondFactorSetUp } from '../design/second-factor-set-up.tsx'
import { useWords } from '../words/words.ts'
import classes from './sign-in.module.css'

/** For the person who is signed in where everybody needs a second factor, and has none yet. */
export function SecondWantedPage() {
  const say = useWords('sign-in')
  useEffect(() => {
    document.title = `${say('secondWanted')} · Connect`
  })
  const leave = () => signOut()
  return (
    <main className={classes.page}>
      <section className={classes.form}>
        <h1>{say('secondWanted')}</h1>
        <p>{say('secondWantedSays')}</p>
        <SecondFactorSetUp onDone={() => location.assign('/')} />
        <Button variant="subtle" onClick={leave}>
          {say('signOut')}
        </Button>
      </section>
    </main>
  )
}
