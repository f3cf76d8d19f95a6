import { hear, say } from '../people.ts'
import { one } from './expectation.ts'
import type { Scenario, Stage } from './scenario.ts'

const NUMBER = '+14155550122'
const CALLER = '+14155550222'
const MENU = 'Night line'
const WAIT_MS_MAX = 20_000
const LOOK_AGAIN_MS = 50

export const spokenMenu: Scenario = {
  name: 'spoken-menu',
  title: 'The prompts of a menu are spoken by the voice-agent platform and played by the telephony provider',
  company: {
    menus: [{ name: MENU, prompt: 'You have reached Acme at night.', voicemail: 'Tell us your name after the tone.' }],
    numbers: [{ number: NUMBER, leadsTo: MENU }],
  },
  async play(stage) {
    await stage.clock.during(() => untilGenerated(stage))
    const acts = [hear('acme at night'), hear('your name'), hear('(beep)'), say('Tom Unger.', 4)]
    const { sid } = await stage.call({ from: CALLER, to: NUMBER, acts })
    const answer = stage.telco.webhooks.find(({ fields }) => fields.CallSid === sid)?.outcome
    const markup = answer?.kind === 'answered' ? answer.body.toString('utf8') : ''
    if (!markup.includes('<Play>')) throw new Error(`the prompt was not played from a file: ${markup}`)
  },
  expects: [one('connect.call', { caller: CALLER }, { status: 'completed', voicemail_duration: 4 })],
}

/** Speech is made a moment after a prompt was written. */
async function untilGenerated({ service }: Stage): Promise<void> {
  const files = ['prompt_message_file', 'voicemail_prompt_file']
  const endMs = Date.now() + WAIT_MS_MAX
  for (;;) {
    const flow = await service.find('connect.telco.callflow', { name: MENU }, files)
    const ids = files.map((field) => (flow?.[field] as [number, string] | null)?.[0])
    const made = await service.list('connect.voiceai_file', { id: ids.filter((id) => id !== undefined) }, ['file'])
    if (made.length === files.length && made.every(({ file }) => file !== null)) return
    if (Date.now() > endMs) throw new Error('no speech was generated')
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS))
  }
}
