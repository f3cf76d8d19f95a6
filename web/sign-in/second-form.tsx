import { TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { signInSecond } from '../data/session.ts'
import { Button, Form } from '../design/press.tsx'
import { useProblem } from '../design/use-problem.ts'
import { useWords } from '../words/words.ts'
import { problemOf } from './problem.ts'
import classes from './sign-in.module.css'

/** The code of an authenticator, or a recovery code. */
export function SecondForm({ ticket, onDone }: { ticket: string; onDone: () => void }) {
  const say = useWords('sign-in')
  const [problem, setProblem] = useProblem<string | undefined>(undefined)
  const [isSending, setSending] = useState(false)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    setSending(true)
    return signInSecond(ticket, String(new FormData(event.currentTarget).get('code'))).then(
      onDone,
      (error: unknown) => {
        setSending(false)
        setProblem(problemOf(error, say))
      },
    )
  }
  return (
    <Form className={classes.form} onSubmit={submit}>
      <h1>{say('secondStep')}</h1>
      <TextInput
        name="code"
        label={say('code')}
        description={say('codeSays')}
        classNames={{ input: classes.code }}
        autoComplete="one-time-code"
        maxLength={40}
        required
        autoFocus
        withAsterisk={false}
      />
      <Button type="submit" fullWidth loading={isSending}>
        {say('begin')}
      </Button>
      <p role="alert" className={classes.problem}>
        {problem}
      </p>
    </Form>
  )
}
