import { Button, PasswordInput, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { sentenceOf } from '../data/errors.ts'
import { signIn } from '../data/session.ts'
import { useWords } from '../words/words.ts'
import classes from './sign-in.module.css'

/** Login and password; the login is given where somebody only comes back. */
export function SignInForm({ login, title, onDone }: { login?: string; title: string; onDone: () => void }) {
  const say = useWords('sign-in')
  const [problem, setProblem] = useState<string>()
  const [isSending, setSending] = useState(false)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    setSending(true)
    signIn(login ?? String(form.get('login')), String(form.get('password'))).then(onDone, (error: unknown) => {
      setSending(false)
      setProblem(sentenceOf(error))
    })
  }
  return (
    <form className={classes.form} onSubmit={submit}>
      <h1>{title}</h1>
      {login === undefined ? (
        <TextInput name="login" label={say('login')} autoComplete="username" required autoFocus withAsterisk={false} />
      ) : (
        <p className="dim">{login}</p>
      )}
      <PasswordInput
        name="password"
        label={say('password')}
        autoComplete="current-password"
        required
        withAsterisk={false}
        data-autofocus={login === undefined ? undefined : true}
        visibilityToggleButtonProps={{ 'aria-label': say('showPassword') }}
      />
      <Button type="submit" fullWidth loading={isSending}>
        {say('signIn')}
      </Button>
      <p role="alert" className={classes.problem}>
        {problem}
      </p>
    </form>
  )
}
