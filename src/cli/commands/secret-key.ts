import type { Command } from 'commander'
import { configOf, outputOf } from '../command.ts'

export function addSecretKeyCommand(program: Command): void {
  program
    .command('secret-key')
    .description('the key that secrets are encrypted with')
    .command('change')
    .description(
      'encrypt every secret with a new key: a new DATA_DIR/secret.key, or SECRET_KEY in place of SECRET_KEY_OLD when they are set',
    )
    .action(async (_options, command: Command) => {
      const { changeSecretKey } = await import('../data/change-secret-key.ts')
      const { secrets, sentences } = await changeSecretKey(configOf(command))
      const said = [`${secrets} secrets are encrypted with the new key.`, ...sentences]
      outputOf(command).done(said.join('\n'), { secrets, sentences })
    })
}
