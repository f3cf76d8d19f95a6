import { type Connection, readSettings, ServiceRefusal } from '../../app/own-api/connection.ts'
import type { CommandRow } from '../command.ts'
import { askSecret } from '../terminal/ask-secret.ts'
import { shownValue } from '../terminal/output.ts'
import { describeFields, isSecret, withoutSecrets } from '../terminal/secret-fields.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { typedValue } from '../terminal/typed-value.ts'

const MODEL = 'connect.settings'

export const SETTINGS_COMMANDS: CommandRow = {
  usage: 'settings',
  about: 'what administrators decide while the service runs',
  rows: [
    {
      usage: 'list',
      about: 'print all settings; secrets are never printed',
      async ask({ connection, output }) {
        output.value(await readShown(connection))
      },
    },
    {
      usage: 'get [name]',
      about: 'print one setting, or all; secrets are never printed',
      async ask({ connection, output }, name: string | undefined) {
        const values = await readShown(connection)
        if (name === undefined) return output.value(values)
        if (!(name in values)) throw new ServiceRefusal(404, `There is no setting "${name}".`)
        output.value(values[name])
      },
    },
    {
      usage: 'set <name> [value]',
      about:
        'change a setting; without a value it is read from standard input, so that a secret stays out of the history',
      async ask({ connection, output, terminal }, name: string, value: string | undefined) {
        const fields = await describeFields(connection, MODEL)
        const field = fields[name]
        if (field === undefined) throw new ServiceRefusal(404, `There is no setting "${name}".`)
        if (value !== undefined && value.trim() !== '' && isSecret(field)) warnOfHistory(name, terminal)
        const text = value ?? (await askValue(name, terminal))
        const { id } = await readSettings<{ id: number }>(connection, ['id'])
        const vals = { [name]: await typedValue(connection, field, text) }
        await connection.call(MODEL, 'write', { ids: [id], vals })
        const stored = (await readShown(connection))[name]
        const sentence = stored === null ? `${name} is empty now` : `${name} is set: ${shownValue(stored)}`
        output.done(sentence, { name, value: stored })
      },
    },
  ],
}

async function readShown(connection: Connection): Promise<Record<string, unknown>> {
  return withoutSecrets(await readSettings(connection), await describeFields(connection, MODEL))
}

function warnOfHistory(name: string, { err }: Terminal): void {
  err.write(
    `${name} is a secret, and now it stands in the history of your shell: \`connect settings set ${name}\` asks for it instead.\n`,
  )
}

/** Nothing typed is more often a mistake than a wish: anyone who means it writes it. */
async function askValue(name: string, terminal: Terminal): Promise<string> {
  const text = await askSecret(`${name}: `, terminal)
  if (text !== '') return text
  throw new ServiceRefusal(
    400,
    `${name} is not changed: nothing was typed. \`connect settings set ${name} ""\` empties it.`,
  )
}
