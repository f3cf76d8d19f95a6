import { PasswordInput, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { send } from '../data/client.ts'
import { sentenceOf } from '../data/errors.ts'
import { useWords } from '../words/words.ts'
import { Copyable } from './copyable.tsx'
import { useFocusAlong } from './focus-along.ts'
import { Button, Form } from './press.tsx'
import { QrCode } from './qr-code.tsx'
import classes from './second-factor-set-up.module.css'
import { useProblem } from './use-problem.ts'

interface Begun {
  secret: string
  otpauth: string
}

/** From the password and the QR code to the recovery codes, each of which is shown this once. */
export function SecondFactorSetUp({ onDone }: { onDone: () => void }) {
  const [begun, setBegun] = useState<Begun>()
  const [codes, setCodes] = useState<readonly string[]>()
  const place = useFocusAlong<HTMLDivElement>(codes ?? begun)
  return (
    <div ref={place} className={classes.place}>
      {begun === undefined ? <Begin onBegun={setBegun} /> : null}
      {begun !== undefined && codes === undefined ? <Confirm begun={begun} onConfirmed={setCodes} /> : null}
      {codes === undefined ? null : <RecoveryCodes codes={codes} onDone={onDone} />}
    </div>
  )
}

function Begin({ onBegun }: { onBegun: (begun: Begun) => void }) {
  const say = useWords('sign-in')
  const [problem, setProblem] = useProblem<string | undefined>(undefined)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    return send('/api/totp/begin', { password: String(new FormData(event.currentTarget).get('password')) }).then(
      (answer) => onBegun(answer as Begun),
      (error: unknown) => setProblem(sentenceOf(error)),
    )
  }
  return (
    <Form className={classes.steps} onSubmit={submit}>
      <p>{say('otherSessionsEnd')}</p>
      <PasswordInput
        data-along
        name="password"
        label={say('passwordToSetUp')}
        autoComplete="current-password"
        required
        withAsterisk={false}
        error={problem}
        visibilityToggleButtonProps={{ 'aria-label': say('showPassword') }}
      />
      <Button type="submit">{say('goOn')}</Button>
    </Form>
  )
}

function Confirm({ begun, onConfirmed }: { begun: Begun; onConfirmed: (codes: readonly string[]) => void }) {
  const say = useWords('sign-in')
  const [problem, setProblem] = useProblem('')
  const submit = (event: FormEvent<HTMLFormElement>) => {
    return send('/api/totp/confirm', { code: String(new FormData(event.currentTarget).get('code')) }).then(
      (answer) => onConfirmed((answer as { recovery_codes: string[] }).recovery_codes),
      (error: unknown) => setProblem(sentenceOf(error)),
    )
  }
  return (
    <Form className={classes.steps} onSubmit={submit}>
      <p>{say('scanThis')}</p>
      <QrCode text={begun.otpauth} label={say('qrCode')} />
      <p className="dim">
        {say('orType')} <Copyable text={begun.secret} label={say('secret')} />
      </p>
      <TextInput
        data-along
        name="code"
        label={say('codeOfNow')}
        inputMode="numeric"
        autoComplete="one-time-code"
        required
        withAsterisk={false}
        error={problem || undefined}
      />
      <Button type="submit">{say('switchOn')}</Button>
    </Form>
  )
}

function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const say = useWords('sign-in')
  return (
    <div className={classes.steps}>
      <h3>{say('recoveryCodes')}</h3>
      <p>{say('recoveryCodesSays')}</p>
      <ul className={`mono ${classes.codes}`}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={classes.actions}>
        <Copyable text={codes.join('\n')} label={say('copyAll')} shown={say('copyAll')} />
        <Button data-along onClick={onDone}>
          {say('stored')}
        </Button>
      </div>
    </div>
  )
}
