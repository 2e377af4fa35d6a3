/**
 * What every error that can reach a model or a person has: a sentence. `refused` marks the ones where shiro itself
 * said no (permission, guard, jail, secret, protected place, address, option-like ref); `shiro tool` exits with 3 on them.
 */
export interface Fault {
  readonly _tag: string
  readonly message: string
  readonly refused?: boolean
}
