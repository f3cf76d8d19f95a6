import { Checkbox, Select, Switch, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { call } from '../data/client.ts'
import { useMe } from '../data/session.ts'
import { tellRefusal } from '../design/notices.tsx'
import { Button } from '../design/press.tsx'
import { wordedFieldsQuery } from '../records/fields.ts'
import { LinkPicker } from '../records/link-picker.tsx'
import { VoiceSelect } from '../records/voice-select.tsx'
import { useWords } from '../words/words.ts'
import { asSent, needsPerson } from './agent-answers.ts'
import classes from './settings.module.css'
import type { Answering } from './use-agent-answers.ts'

const AGENT = 'connect.voiceai_agent'

/** Days that are open, all from the same hour to the same. */
export function OpenHours({ answers, set }: Answering) {
  const say = useWords('settings')
  const { data: fields } = useQuery(wordedFieldsQuery('connect.telco.opening'))
  return (
    <div className={classes.wide}>
      <Checkbox.Group label={say('agentOpen')} value={[...answers.days]} onChange={(days) => set({ days })}>
        <div className={classes.choices}>
          {(fields?.dayofweek?.selection ?? []).map(([day, label]) => (
            <Checkbox key={day} value={day} label={label} />
          ))}
        </div>
      </Checkbox.Group>
      {answers.days.length === 0 ? null : (
        <div className={classes.choices}>
          <TextInput
            type="time"
            label={say('agentFrom')}
            value={answers.from}
            onChange={({ currentTarget }) => set({ from: currentTarget.value })}
          />
          <TextInput
            type="time"
            label={say('agentTo')}
            value={answers.to}
            onChange={({ currentTarget }) => set({ to: currentTarget.value })}
          />
        </div>
      )}
    </div>
  )
}

/** How mobiles are written at home, by the country of the company. */
const MOBILE_EXAMPLES: Readonly<Record<string, string>> = {
  AT: '0664 1234567',
  CH: '079 555 01 99',
  DE: '0151 23456789',
  FR: '06 39 98 01 23',
  GB: '07700 900123',
  US: '(415) 555-0132',
}

/** The people that callers are put through to, and whose calendar is booked. */
export function TakesOver({ answers, set }: Answering) {
  const say = useWords('settings')
  const number = MOBILE_EXAMPLES[useMe().installation.country ?? '']
  if (!needsPerson(answers)) return null
  return (
    <>
      <LinkPicker
        label={say('agentPerson')}
        withAsterisk
        model="res.users"
        value={answers.person}
        onChange={(person) => set({ person })}
      />
      {answers.may.includes('hand_over') ? (
        <>
          <TextInput
            type="tel"
            label={say('agentMobile')}
            description={number === undefined ? say('agentMobileHint') : say('agentMobileExample', { number })}
            value={answers.mobile}
            onChange={({ currentTarget }) => set({ mobile: currentTarget.value })}
          />
          <Switch
            className={classes.wide}
            label={say('agentVoicemail')}
            checked={answers.voicemail}
            onChange={({ currentTarget }) => set({ voicemail: currentTarget.checked })}
          />
        </>
      ) : null}
    </>
  )
}

/** Voice and language, and whether it says that it is an AI. */
export function Speaks({ answers, set }: Answering) {
  const say = useWords('settings')
  const { data: fields } = useQuery(wordedFieldsQuery(AGENT))
  const languages = (fields?.language?.selection ?? []).map(([value, label]) => ({ value, label }))
  return (
    <>
      <VoiceSelect
        label={say('agentVoice')}
        placeholder={say('agentAnyVoice')}
        value={answers.voice}
        onChange={(voice) => set({ voice })}
      />
      <Select
        label={say('agentLanguage')}
        searchable
        allowDeselect={false}
        data={languages}
        value={answers.language}
        onChange={(language) => language !== null && set({ language })}
      />
      <Switch
        className={classes.wide}
        label={say('agentAnnounces')}
        checked={answers.announces}
        onChange={({ currentTarget }) => set({ announces: currentTarget.checked })}
      />
    </>
  )
}

/** What the answers make, which may be read and edited before the agent is made. */
export function Texts({ answers, set }: Answering) {
  const say = useWords('settings')
  if (answers.prompt === undefined) {
    const show = async (): Promise<void> => {
      const { number: _number, announces_ai: _announces, voicemail: _voicemail, ...asked } = asSent(answers)
      await call(AGENT, 'set_up_texts', asked).then(
        ({ prompt, first_message: greeting }) => set({ prompt, greeting, isEdited: false }),
        tellRefusal,
      )
    }
    return (
      <div className={classes.actions}>
        <Button variant="default" onClick={show}>
          {say('agentTexts')}
        </Button>
      </div>
    )
  }
  return (
    <>
      <Textarea
        className={classes.wide}
        label={say('agentGreeting')}
        autosize
        value={answers.greeting ?? ''}
        onChange={({ currentTarget }) => set({ greeting: currentTarget.value, isEdited: true })}
      />
      <Textarea
        className={classes.wide}
        label={say('agentPrompt')}
        autosize
        maxRows={24}
        value={answers.prompt}
        onChange={({ currentTarget }) => set({ prompt: currentTarget.value, isEdited: true })}
      />
    </>
  )
}
