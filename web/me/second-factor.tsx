import { PasswordInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { send } from '../data/client.ts'
import { sentenceOf } from '../data/errors.ts'
import { useMe } from '../data/session.ts'
import { useFocusAlong } from '../design/focus-along.ts'
import { Button, Form } from '../design/press.tsx'
import { SecondFactorSetUp } from '../design/second-factor-set-up.tsx'
import { useProblem } from '../design/use-problem.ts'
import { useWords } from '../words/words.ts'
import classes from './me.module.css'

/** Whether a code is asked for at the sign-in, and how that begins and ends. */
export function SecondFactor() {
  const say = useWords('me')
  const { session } = useMe()
  const [isBeginning, setBeginning] = useState(false)
  const place = useFocusAlong<HTMLDivElement>(isBeginning)
  if (session?.second_factor === 'on') return <Remove codes={session.recovery_codes} />
  return (
    <div ref={place} className={classes.form}>
      {isBeginning ? (
        <SecondFactorSetUp onDone={() => location.reload()} />
      ) : (
        <>
          <p>{say('secondFactorOff')}</p>
          <Button variant="default" onClick={() => setBeginning(true)}>
            {say('setUpSecondFactor')}
          </Button>
        </>
      )}
    </div>
  )
}

function Remove({ codes }: { codes: number }) {
  const say = useWords('me')
  const [problem, setProblem] = useProblem<string | undefined>(undefined)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    return send('/api/totp/remove', { password: String(new FormData(event.currentTarget).get('password')) }).then(
      () => location.reload(),
      (error: unknown) => setProblem(sentenceOf(error)),
    )
  }
  return (
    <Form className={classes.form} onSubmit={submit}>
      <p>
        {say('secondFactorOn')} {say('codesLeft', { count: codes })}
      </p>
      <PasswordInput
        name="password"
        label={say('passwordToRemove')}
        autoComplete="current-password"
        required
        withAsterisk={false}
        error={problem}
        visibilityToggleButtonProps={{ 'aria-label': say('showPassword') }}
      />
      <Button type="submit" variant="default">
        {say('removeSecondFactor')}
      </Button>
    </Form>
  )
}
