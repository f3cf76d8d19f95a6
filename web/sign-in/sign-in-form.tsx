import { PasswordInput, TextInput } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { signIn } from '../data/session.ts'
import { Button, Form } from '../design/press.tsx'
import { useProblem } from '../design/use-problem.ts'
import { useWords } from '../words/words.ts'
import { problemOf } from './problem.ts'
import { SecondForm } from './second-form.tsx'
import classes from './sign-in.module.css'

interface Props {
  /** Given where somebody only comes back. */
  login?: string
  title: string
  /** Why they come here. */
  reason?: string | undefined
  onDone: () => void
  /** Where the second step is a page of its own; without it, it stands in place of this one. */
  onTicket?: (ticket: string) => void
  /** Other ways to sign in. */
  children?: ReactNode
}

/** Login and password, and the second step where one is wanted. */
export function SignInForm({ login, title, reason = '', onDone, onTicket, children }: Props) {
  const say = useWords('sign-in')
  const [problem, setProblem] = useProblem(reason)
  const [ticket, setTicket] = useState<string>()
  const [isSending, setSending] = useState(false)
  if (ticket !== undefined) return <SecondForm ticket={ticket} onDone={onDone} />
  const submit = async (form: FormData): Promise<void> => {
    const given = await signIn(login ?? String(form.get('login')), String(form.get('password')))
    if (given === undefined) onDone()
    else (onTicket ?? setTicket)(given)
  }
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    setSending(true)
    return submit(new FormData(event.currentTarget)).catch((error: unknown) => {
      setSending(false)
      setProblem(problemOf(error, say))
    })
  }
  return (
    <Form className={classes.form} onSubmit={onSubmit}>
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
      {children}
      <p role="alert" className={classes.problem}>
        {problem}
      </p>
    </Form>
  )
}
