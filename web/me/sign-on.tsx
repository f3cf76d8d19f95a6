import { PasswordInput } from '@mantine/core'
import type { FormEvent } from 'react'
import { send } from '../data/client.ts'
import { sentenceOf } from '../data/errors.ts'
import { Button, Form } from '../design/press.tsx'
import { useProblem } from '../design/use-problem.ts'
import { useWords } from '../words/words.ts'
import classes from './me.module.css'

/** Links the account with the one that somebody has at the provider, whatever address it has there. */
export function SignOn({ hasFailed }: { hasFailed: boolean }) {
  const say = useWords('me')
  const [problem, setProblem] = useProblem(hasFailed ? say('notLinked') : undefined)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    return send('/api/sso/link', { password: String(new FormData(event.currentTarget).get('password')) }).then(
      (answer) => location.assign((answer as { address: string }).address),
      (error: unknown) => setProblem(sentenceOf(error)),
    )
  }
  return (
    <Form className={classes.form} onSubmit={submit}>
      <p>{say('signOnSays')}</p>
      <PasswordInput
        name="password"
        label={say('passwordToLink')}
        autoComplete="current-password"
        required
        withAsterisk={false}
        error={problem}
        visibilityToggleButtonProps={{ 'aria-label': say('showPassword') }}
      />
      <Button type="submit" variant="default">
        {say('link')}
      </Button>
    </Form>
  )
}
