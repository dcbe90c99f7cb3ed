import { invalid } from '../rules/errors.ts'
import { newObject } from './new-object.ts'
import type { TaxId } from './wire.ts'

export function newTaxId(
  { customer, type, value }: Pick<TaxId, 'customer' | 'type' | 'value'>,
  now: number,
): TaxId {
  return {
    ...newObject('tax_id', 'txi', now),
    country: countryOf(type, value),
    customer,
    customer_account: null,
    owner: { customer, customer_account: null, type: 'customer' },
    type,
    value,
    verification: {
      status: verified.has(type) ? 'pending' : 'unavailable',
      verified_address: null,
      verified_name: null,
    },
  }
}

/** The types that Stripe verifies with the authorities. In the sandbox they stay `pending`. */
const verified = new Set<string>(['au_abn', 'eu_vat', 'gb_vat', 'in_gst'])

/** A type begins with its country's code; an EU VAT id's value does, where EL means Greece. */
function countryOf(type: string, value: string): string | null {
  if (type === 'eu_oss_vat') return null
  if (type !== 'eu_vat') return type.slice(0, 2).toUpperCase()
  const prefix = value.slice(0, 2).toUpperCase()
  return prefix === 'EL' ? 'GR' : prefix
}

/** All tax id types that Stripe accepts. The SDK's `unknown` occurs only on old tax ids. */
export const taxIdTypes = `
  ad_nrt ae_trn al_tin am_tin ao_tin ar_cuit au_abn au_acn au_arn au_wpn aw_tin az_tin ba_tin bb_tin bd_bin
  bf_ifu bg_uic bh_vat bj_ifu bo_tin br_cnpj br_cpf bs_tin bw_vat by_tin ca_bn ca_gst_hst ca_pst_bc ca_pst_mb
  ca_pst_sk ca_qst cd_nif ch_uid ch_vat ci_vat cl_tin cm_niu cn_tin co_nit cr_tin cv_nif cz_dic de_stn do_rcn
  ec_ruc eg_tin es_cif et_tin eu_oss_vat eu_vat fo_vat fr_siren fr_siret fr_spi gb_vat ge_vat gh_tin gi_tin
  gn_nif hk_br hr_oib hu_tin ic_nif id_npwp il_vat in_gst is_kt is_vat it_cf jp_cn jp_rn jp_trn ke_pin kg_tin
  kh_tin kr_brn kz_bin la_tin li_uid li_vat lk_vat ma_vat md_cf md_vat me_pib mk_vat mr_nif mu_vat mx_rfc
  my_frp my_itn my_sst mz_nuit ng_tin no_vat no_voec np_pan nz_bn nz_gst om_vat pe_ruc ph_tin pl_nip pt_nif
  py_ruc ro_tin rs_pib ru_inn ru_kpp sa_vat sg_gst sg_uen si_tin sm_coe sn_ninea sr_fin sv_nit th_vat tj_tin
  tr_tin tt_bir tt_vat tw_vat tz_vat ua_vat ug_tin us_ein uy_ruc uz_tin uz_vat ve_rif vn_tin za_vat zm_tin
  zw_tin
`
  .trim()
  .split(/\s+/)

const union = 'AT BE BG CY CZ DE DK EE EL ES FI FR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK XI'
  .split(' ')
  .join('|')
const formats: Record<string, RegExp> = {
  au_abn: /^\d{2} ?\d{3} ?\d{3} ?\d{3}$/,
  br_cnpj: /^\d{2}\.?\d{3}\.?\d{3}\/?\d{4}-?\d{2}$/,
  ca_bn: /^\d{9}$/,
  ch_vat: /^CHE-?\d{3}\.?\d{3}\.?\d{3} ?(MWST|TVA|IVA)$/i,
  eu_vat: new RegExp(`^(${union})[A-Z0-9]{2,12}$`, 'i'),
  gb_vat: /^(GB)?(\d{9}|\d{12}|(GD|HA)\d{3})$/i,
  in_gst: /^\d{2}[A-Z0-9]{13}$/i,
  jp_cn: /^\d{13}$/,
  us_ein: /^\d{2}-?\d{7}$/,
}
const anyOther = /^[\p{L}\d./-]{2,30}$/u

export function checkTaxId(type: string, value: string) {
  if ((formats[type] ?? anyOther).test(value)) return
  throw invalid(`Invalid value for ${type}.`, { code: 'tax_id_invalid', param: 'value' })
}
