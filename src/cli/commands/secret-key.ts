import type { CommandRow } from '../command.ts'

export const SECRET_KEY_COMMANDS: CommandRow = {
  usage: 'secret-key',
  about: 'the key that secrets are encrypted with',
  rows: [
    {
      usage: 'change',
      about:
        'encrypt every secret with a new key: a new DATA_DIR/secret.key, or SECRET_KEY in place of SECRET_KEY_OLD when they are set',
      async run({ config, output }) {
        const { changeSecretKey } = await import('../data/change-secret-key.ts')
        const { secrets, sentences } = await changeSecretKey(config)
        const said = [`${secrets} secrets are encrypted with the new key.`, ...sentences]
        output.done(said.join('\n'), { secrets, sentences })
      },
    },
  ],
}
