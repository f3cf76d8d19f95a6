import { PasswordInput, TextInput } from '@mantine/core'
import { type FormEvent, useEffect, useState } from 'react'
import { send } from '../data/client.ts'
import { sentenceOf } from '../data/errors.ts'
import { startFacts } from '../data/start.ts'
import { Button, Form } from '../design/press.tsx'
import { useProblem } from '../design/use-problem.ts'
import { useWords } from '../words/words.ts'
import { useLinkToken } from './link-token.ts'
import classes from './sign-in.module.css'
import { NobodyYet } from './sign-in-page.tsx'

/** Where the printed link leads: it makes the first administrator, once. */
export function SetupPage() {
  const say = useWords('sign-in')
  const token = useLinkToken()
  useEffect(() => {
    document.title = `${say('firstAdministrator')} · Connect`
  })
  return <main className={classes.page}>{partFor(token)}</main>
}

function partFor(token: string | undefined) {
  if (startFacts().isSetUp) return <Used />
  return token ? <FirstForm token={token} /> : <NobodyYet />
}

function Used() {
  const say = useWords('sign-in')
  return (
    <section className={classes.form}>
      <h1>{say('linkIsUsed')}</h1>
      <p>{say('linkIsUsedSays')}</p>
      <a href="/sign-in">{say('signIn')}</a>
    </section>
  )
}

function FirstForm({ token }: { token: string }) {
  const say = useWords('sign-in')
  const [problem, setProblem] = useProblem<string | undefined>(undefined)
  const [isSending, setSending] = useState(false)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    setSending(true)
    const given = Object.fromEntries(new FormData(event.currentTarget))
    return send('/api/setup', { token, ...given }).then(
      () => location.assign('/settings/set-up'),
      (error: unknown) => {
        setSending(false)
        setProblem(sentenceOf(error))
      },
    )
  }
  return (
    <Form className={classes.form} onSubmit={submit}>
      <h1>{say('firstAdministrator')}</h1>
      <p className="dim">{say('firstAdministratorSays')}</p>
      <TextInput name="name" label={say('name')} autoComplete="name" required autoFocus withAsterisk={false} />
      <TextInput name="login" label={say('login')} autoComplete="username" required withAsterisk={false} />
      <PasswordInput
        name="password"
        label={say('password')}
        description={say('passwordRule')}
        autoComplete="new-password"
        required
        withAsterisk={false}
        visibilityToggleButtonProps={{ 'aria-label': say('showPassword') }}
      />
      <Button type="submit" fullWidth loading={isSending}>
        {say('create')}
      </Button>
      <p role="alert" className={classes.problem}>
        {problem}
      </p>
    </Form>
  )
}
