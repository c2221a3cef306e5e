#pragma once
// The constants of <math_constants.h>.

#include <bit>
#include <cstdint>
#include <limits>
#include <numbers>

#define CUDART_INF_F std::numeric_limits<float>::infinity()
#define CUDART_NAN_F std::bit_cast<float>(0x7fffffffu)
#define CUDART_MIN_DENORM_F std::numeric_limits<float>::denorm_min()
#define CUDART_MAX_NORMAL_F std::numeric_limits<float>::max()
#define CUDART_NEG_ZERO_F (-0.0f)
#define CUDART_ZERO_F 0.0f
#define CUDART_ONE_F 1.0f
#define CUDART_SQRT_HALF_F (std::numbers::sqrt2_v<float> / 2)
#define CUDART_SQRT_TWO_F std::numbers::sqrt2_v<float>
#define CUDART_THIRD_F (1.0f / 3.0f)
#define CUDART_PI_F std::numbers::pi_v<float>
#define CUDART_PIO2_F (std::numbers::pi_v<float> / 2)
#define CUDART_PIO4_F (std::numbers::pi_v<float> / 4)
#define CUDART_2OVERPI_F static_cast<float>(2 / std::numbers::pi)
#define CUDART_L2E_F std::numbers::log2e_v<float>
#define CUDART_L2T_F 3.3219280948873623f
#define CUDART_LG2_F 0.3010299956639812f
#define CUDART_LGE_F std::numbers::log10e_v<float>
#define CUDART_LN2_F std::numbers::ln2_v<float>
#define CUDART_LNT_F std::numbers::ln10_v<float>
#define CUDART_LNPI_F 1.1447298858494002f
#define CUDART_TWO_TO_M126_F 0x1p-126f
#define CUDART_TWO_TO_126_F 0x1p126f
#define CUDART_TWO_TO_24_F 0x1p24f
#define CUDART_TWO_TO_23_F 0x1p23f

#define CUDART_INF std::numeric_limits<double>::infinity()
#define CUDART_NAN std::bit_cast<double>(std::uint64_t{0xfff8000000000000})
#define CUDART_NEG_ZERO (-0.0)
#define CUDART_MIN_DENORM std::numeric_limits<double>::denorm_min()
#define CUDART_ZERO 0.0
#define CUDART_ONE 1.0
#define CUDART_SQRT_TWO std::numbers::sqrt2
#define CUDART_SQRT_HALF (std::numbers::sqrt2 / 2)
#define CUDART_THIRD (1.0 / 3.0)
#define CUDART_TWOTHIRD (2.0 / 3.0)
#define CUDART_PI std::numbers::pi
#define CUDART_PIO2 (std::numbers::pi / 2)
#define CUDART_PIO4 (std::numbers::pi / 4)
#define CUDART_3PIO4 (3 * std::numbers::pi / 4)
#define CUDART_2OVERPI (2 / std::numbers::pi)
#define CUDART_SQRT_2OVERPI 0.79788456080286536
#define CUDART_SQRT_2PI 2.5066282746310007
#define CUDART_SQRT_PIO2 1.2533141373155003
#define CUDART_L2E std::numbers::log2e
#define CUDART_L2T 3.3219280948873622
#define CUDART_LG2 0.30102999566398120
#define CUDART_LGE std::numbers::log10e
#define CUDART_LN2 std::numbers::ln2
#define CUDART_LNT std::numbers::ln10
#define CUDART_LNPI 1.1447298858494002
#define CUDART_TWO_TO_23 0x1p23
#define CUDART_TWO_TO_52 0x1p52
#define CUDART_TWO_TO_53 0x1p53
#define CUDART_TWO_TO_54 0x1p54
